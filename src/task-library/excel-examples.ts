import { gives, refuses, type WorkedExample } from "./define-task.ts";

/** A sheet `vlans` with the columns name, vlan and since, and two rows: core, 10, 1 January 2024; edge, 20, nothing. */
const vlans = [
  "UEsDBBQAAAgIAAAAIQDXwyB+CQEAAKcCAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbK2SPU8DMQyG/0qUFTVpGRBCvXbgYwSG8gNM",
  "zteLmthR7Jbrv0e9FgZUFQYmD3n9Po+szJdDTmaHVSJTY2duag1S4DbSurFvq6fJrTWiQC0kJmzsHsUuF/PVvqCYISeSxvaq5c57",
  "CT1mEMcFacip45pBxXFd+wJhA2v019PpjQ9MiqQTPXTYxfwBO9gmNY+DIh09hpysuT/mDqjGQikpBtDI5A+v/uxexSQXFnfU/rCb",
  "nMxcxTRmpI9Frk6Elx3WGls0r1D1GTI21g/Jf3DdvDNv3GXNMzTuuhiw5bDNSOqkVIRWekTNyY3TZYj0B/4YFj+O2T+LfPf/4iG6",
  "Tyj/fYWx9Ivsx4+2+ARQSwMEFAAACAgAAAAhAJja64uxAAAAJwEAAAsAAABfcmVscy8ucmVsc43PQW7CMBCF4atYs28cukAIxWGD",
  "kLKtwgGMM0ms2DOWx4C5fbel6qL7p+/p7041BvXALJ7JwK5pQSE5njwtBq7j5eMASoqlyQYmNPBCgVPffWGwxTPJ6pOoGgOJgbWU",
  "dNRa3IrRSsMJqcYwc462SMN50cm6zS6oP9t2r/NPA95NNUwG8jDtQI2vhP+xeZ69wzO7e0Qqf1z8WoAabV6wGKhBPzlvN+atqTGA",
  "7jv9Fth/A1BLAwQUAAAICAAAACEA4RE90rsAAAAaAQAADwAAAHhsL3dvcmtib29rLnhtbI2PwWrDMBBEf0XsPZadQynGci4hkHv7",
  "Aaq1jkW0u2ZXTd2/LyTNPaeBB/OGGQ4bFXdDtSwcoGtacMiTpMyXAJ8fp907OKuRUyzCGOAXDQ7j8CN6/RK5uo0KW4Cl1rX33qYF",
  "KVojK/JGZRalWK0RvXhbFWOyBbFS8fu2ffMUM8PD0OsrDpnnPOFRpm9Crg+JYok1C9uSV4NxuC/YfzqOhAFuJbKBu6NzCtCB0z6n",
  "AHpOHfhx8M+Wfx4b/wBQSwMEFAAACAgAAAAhABZX+p/GAAAApwEAABoAAAB4bC9fcmVscy93b3JrYm9vay54bWwucmVsc62Qy2rD",
  "MBBFf0XMvh67ixJKlGxCIdvifoCQx7aIpBGaaWv/fSChj0AWXXQ13Ls49zDb/ZKi+aAqgbOFrmnBUPY8hDxZeOtfHjZgRF0eXORM",
  "FlYS2O+2rxSdBs4yhyJmSTGLhVm1PCOKnyk5abhQXlIcuSan0nCdsDh/chPhY9s+Yf3NgFumOQ4W6nHowPRrob+weRyDpwP790RZ",
  "70zgJ9eTzEQKpnd1IrXwXQleTtcsKQLel2n/U0Z0jSQ/Jtf8NY83D96dAVBLAwQUAAAICAAAACEADN0JdqYAAAD6AAAADQAAAHhs",
  "L3N0eWxlcy54bWxlzsEKgzAQBNBfCXuvsSKllCTehJ7bQq9B1ypkN+LGon9fhEKhXh8zw5hqoaDeOMkQ2cIxy0EhN7Ed+GXhca8P",
  "Z1CSPLc+REYLKwpUzkhaA956xKQWCiwW+pTGi9bS9EhesjgiLxS6OJFPksXppWWc0LeylSjoIs9PmvzA4EyDITw7UU2cOVkowZml",
  "UzxTTenaWshB/8mx3FGxTxXFRvo774z+3XYfUEsDBBQAAAgIAAAAIQBPmT0p9gAAABkCAAAYAAAAeGwvd29ya3NoZWV0cy9zaGVl",
  "dDEueG1sdZFdTsUgEIW3Qubd0lI1aoAbf+IG1AWQdmyJMDRA2rp702qa6037xjBnzndg5Gn2jo0Ykw2koCpKYEhNaC11Cj7eX6/u",
  "gKVsqDUuECr4xgQnLacQv1KPmNnsHSUFfc7DA+ep6dGbVIQBafbuM0RvcipC7HgaIpp2HfKOi7K85d5YAi3XuxeTjZYxTCwqqEDL",
  "Zjk8VsCyAkvOEr7lCFrapGXWZDxKnrXkS82bP/3TkX50hnb0z0f6ZKm5APAYpi2h2BKKA4cmxN2Ey+Soq1Ly8TyIAJZ+Hz7q6xtx",
  "L7b+P269cesDLrbdLrderUV54cvPfp9va9U/UEsBAj8DFAAACAgAAAAhANfDIH4JAQAApwIAABMACQAAAAAAAAAAALSBAAAAAFtD",
  "b250ZW50X1R5cGVzXS54bWxVVAUAAwAAAABQSwECPwMUAAAICAAAACEAmNrri7EAAAAnAQAACwAJAAAAAAAAAAAAtIE6AQAAX3Jl",
  "bHMvLnJlbHNVVAUAAwAAAABQSwECPwMUAAAICAAAACEA4RE90rsAAAAaAQAADwAJAAAAAAAAAAAAtIEUAgAAeGwvd29ya2Jvb2su",
  "eG1sVVQFAAMAAAAAUEsBAj8DFAAACAgAAAAhABZX+p/GAAAApwEAABoACQAAAAAAAAAAALSB/AIAAHhsL19yZWxzL3dvcmtib29r",
  "LnhtbC5yZWxzVVQFAAMAAAAAUEsBAj8DFAAACAgAAAAhAAzdCXamAAAA+gAAAA0ACQAAAAAAAAAAALSB+gMAAHhsL3N0eWxlcy54",
  "bWxVVAUAAwAAAABQSwECPwMUAAAICAAAACEAT5k9KfYAAAAZAgAAGAAJAAAAAAAAAAAAtIHLBAAAeGwvd29ya3NoZWV0cy9zaGVl",
  "dDEueG1sVVQFAAMAAAAAUEsFBgAAAAAGAAYAtgEAAPcFAAAAAA==",
].join("");

/** Worked examples of excelToJson. */
export const excelExamples: readonly WorkedExample[] = [
  gives([vlans, ""], {
    vlans: [
      { name: "core", vlan: 10, since: "2024-01-01" },
      { name: "edge", vlan: 20, since: "" },
    ],
  }),
  gives([vlans, { headerRow: ["site", "id"], sheets: ["vlans"] }], {
    vlans: [
      { site: "core", id: 10, field3: "2024-01-01" },
      { site: "edge", id: 20 },
    ],
  }),
  refuses([vlans, { sheets: ["ports"] }], 'There is no sheet "ports"; there are "vlans"'),
  refuses(["bmFtZSx2bGFu", ""], "not an Excel file"),
];

export { readExcelOptions } from "./excel-options.ts";
export { excelToRows, type ExcelOptions } from "./excel-rows.ts";

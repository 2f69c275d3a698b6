import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP } from "node:net";
import { buildConnector } from "undici";
import { RequestError } from "./request-error.ts";

/** Resolves a name to all its addresses. */
export type ResolveName = (
  name: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** How connections are made. */
export interface ConnectionSettings {
  isAllowed: (address: string) => boolean;
  /** False: any certificate will do. */
  verifiesCertificates: boolean;
  /** Authorities in PEM that are trusted; absent: those of Node.js. */
  authorities?: string | undefined;
  connectTimeoutMs: number;
  /** What tests replace. */
  resolveName?: ResolveName | undefined;
}

/**
 * Connects to allowed addresses only. The rule is applied to the addresses that the connection itself uses, so that a
 * name cannot mean one address when it is looked at and another when it is used.
 */
export function createGuardedConnector(settings: ConnectionSettings): buildConnector.connector {
  const { isAllowed, verifiesCertificates, authorities, connectTimeoutMs, resolveName = systemLookup } = settings;
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    rejectUnauthorized: verifiesCertificates,
    ...(authorities === undefined ? {} : { ca: authorities }),
    lookup: (name, options, done) => {
      resolveName(name, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error, []);
        const usable = addresses.filter(({ address }) => isAllowed(address));
        if (usable.length === 0) return done(refusal(name), []);
        const [first] = usable;
        if (options.all) return done(null, usable);
        return done(null, first?.address ?? "", first?.family ?? 0);
      });
    },
  });
  return (options, done) => {
    const address = options.hostname.replace(/^\[|\]$/gu, "");
    // Addresses are not looked up, so the look-up does not see them.
    if (isIP(address) > 0 && !isAllowed(address)) done(refusal(address), null);
    else connect(options, done);
  };
}

function refusal(host: string): RequestError {
  return new RequestError(`${host}: requests to this address are not allowed here`);
}

import { escapeRegex } from "../core/escape-regex.ts";
import type { Query } from "../store/query.ts";

/** Which devices to list. Texts are parts of the member, upper and lower case alike, unless `isExact`. */
export interface DeviceFilter {
  name?: string;
  host?: string;
  platform?: string;
  group?: string;
  /** Text of the port number. */
  port?: string;
  isExact?: boolean;
}

/** The filter as a query of the store. */
export function deviceQuery(filter: DeviceFilter): Query {
  const text = (part: string) => (filter.isExact ? part : { $regex: escapeRegex(part), $options: "i" });
  return {
    ...(filter.name !== undefined && { name: text(filter.name) }),
    ...(filter.host !== undefined && { host: text(filter.host) }),
    ...(filter.platform !== undefined && { platform: text(filter.platform) }),
    ...(filter.group !== undefined && { groups: filter.group }),
    ...(filter.port !== undefined && { port: /^\d{1,5}$/.test(filter.port) ? Number(filter.port) : -1 }),
  };
}

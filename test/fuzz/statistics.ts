import type { FuzzReply, FuzzRequest } from "./target.ts";

/** Figures of a run. */
export interface Figures {
  requests: number;
  /** `2xx`, `4xx`, … → how many answers. */
  statuses: Record<string, number>;
  slowest: { ms: number; request: string };
}

export interface Statistics {
  count(request: FuzzRequest, reply: FuzzReply): void;
  figures(): Figures;
}

/** Counts from now on. */
export function createStatistics(): Statistics {
  const figures: Figures = { requests: 0, statuses: {}, slowest: { ms: 0, request: "" } };
  return {
    count({ method, path }, { status, ms }) {
      const ofClass = status >= 500 ? String(status) : `${Math.floor(status / 100)}xx`;
      figures.requests += 1;
      figures.statuses[ofClass] = (figures.statuses[ofClass] ?? 0) + 1;
      // A start that was asked to wait is not slow.
      if (!path.includes("wait=") && ms > figures.slowest.ms)
        figures.slowest = { ms, request: `${method} ${path.slice(0, 200)}` };
    },
    figures: () => figures,
  };
}

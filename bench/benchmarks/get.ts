import { startServerProcess } from "../../test/support/server-process.ts";
import { runClosedLoop } from "../closed-loop.ts";
import { createSender } from "../load.ts";
import type { BenchContext } from "./benchmark.ts";

/** What a request costs that does nothing: the floor under everything else. */
export async function measureGet({ options, report }: BenchContext): Promise<void> {
  const server = await startServerProcess();
  try {
    const request = { url: `${server.url}/version`, headers: { authorization: `Bearer ${server.token}` }, body: "" };
    for (const clients of options.clients) {
      const sender = createSender(clients);
      const load = await runClosedLoop(clients, options.seconds * 1000, async () => {
        await sender.send(request, "GET");
      });
      await report.figure("get", { ...load, residentMb: await server.residentMb() });
      await sender.close();
    }
  } finally {
    await server.stop();
  }
}

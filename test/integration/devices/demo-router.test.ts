import { afterEach, describe, expect, it } from "vitest";
import ssh2 from "ssh2";
import { startDemoRouter, type DemoRouter, type DemoRouterOptions } from "../../../src/demo-routers/index.ts";

const login = { username: "admin", password: "secret" };

/** A person at an 80×10 terminal of a demo router. */
interface Person {
  /** Types and waits until the screen ends so; gives what came since the last time. */
  type(text: string, until: string | RegExp): Promise<string>;
  /** Resolves when the router ended the session. */
  left: Promise<void>;
}

describe("a demo router", () => {
  const open: { end(): unknown }[] = [];
  const routers: DemoRouter[] = [];
  afterEach(async () => {
    for (const client of open.splice(0)) client.end();
    await Promise.all(routers.splice(0).map((router) => router.close()));
  });

  async function start(options: Partial<DemoRouterOptions> = {}): Promise<DemoRouter> {
    const router = await startDemoRouter({ name: "r1", ...login, now: () => Date.UTC(2026, 0, 1), ...options });
    routers.push(router);
    return router;
  }

  async function connect(router: DemoRouter, password = login.password): Promise<ssh2.Client> {
    const client = new ssh2.Client();
    open.push(client);
    await new Promise<void>((resolve, reject) =>
      client
        .on("ready", () => resolve())
        .on("error", reject)
        .connect({ host: "127.0.0.1", port: router.port, username: login.username, password }),
    );
    client.on("error", () => undefined);
    return client;
  }

  async function sitDown(router: DemoRouter): Promise<Person> {
    const client = await connect(router);
    const stream = await new Promise<ssh2.ClientChannel>((resolve, reject) =>
      client.shell({ rows: 10, cols: 80 }, (error, channel) => (error ? reject(error) : resolve(channel))),
    );
    let screen = "";
    let look = (): void => undefined;
    stream.on("data", (data: Buffer) => {
      screen += data.toString();
      look();
    });
    const left = new Promise<void>((resolve) => stream.on("close", () => resolve()));
    const type = (text: string, until: string | RegExp): Promise<string> => {
      stream.write(text);
      return new Promise((resolve) => {
        look = () => {
          if (typeof until === "string" ? !screen.endsWith(until) : !until.test(screen)) return;
          const seen = screen;
          screen = "";
          resolve(seen);
        };
        look();
      });
    };
    await type("", "r1> ");
    return { type, left };
  }

  it("has modes, abbreviations and the error texts of its kind", async () => {
    const person = await sitDown(await start());
    expect(await person.type("conf t\n", "r1> ")).toContain("% Unknown command: conf t");
    await person.type("ena\n", "r1# ");
    expect(await person.type("bogus\n", "r1# ")).toContain("% Unknown command: bogus");
    expect(await person.type("show\n", "r1# ")).toContain("% Incomplete command.");
    expect(await person.type("show i\n", "r1# ")).toContain("% Ambiguous command: show i");
    await person.type("conf t\n", "r1(config)# ");
    await person.type("int eth1\n", "r1(config-if)# ");
    await person.type("desc to the core\n", "r1(config-if)# ");
    await person.type("end\n", "r1# ");
    expect(await person.type("sh int desc\n", "r1# ")).toMatch(/eth1 +up +up +to the core\r\n/);
    await person.type("disable\n", "r1> ");
    await Promise.all([person.type("exit\n", /$/), person.left]);
  });

  it("configures interfaces and refuses what makes no sense", async () => {
    const router = await start();
    const person = await sitDown(router);
    const config = async (line: string, until = "r1(config-if)# ") => person.type(`${line}\n`, until);
    await person.type("enable\n", "r1# ");
    await config("configure terminal", "r1(config)# ");
    expect(await config("interface eth99", "r1(config)# ")).toContain("% Invalid interface: eth99");
    await config("interface lo7");
    await config("ip address 10.7.0.1 255.255.255.0");
    expect(await config("ip address 10.7.0.999/24")).toContain("% Malformed address");
    expect(await config("ip address 10.7.0.1 255.0.255.0")).toContain("% Malformed address");
    await config("shutdown");
    expect(router.state.running.interfaces.at(-1)).toEqual({
      name: "lo7",
      description: "",
      address: "10.7.0.1/24",
      isShutdown: true,
    });
    await config("no shutdown");
    await config("no ip address");
    expect(router.state.running.interfaces.at(-1)).toMatchObject({ address: "", isShutdown: false });
    await config("hostname 7x");
    await person.type("hostname core\n", "core(config-if)# ");
  });

  it("keeps what was saved over a reload and loses the rest", async () => {
    const router = await start();
    const person = await sitDown(router);
    await person.type("enable\n", "r1# ");
    await person.type("configure terminal\ninterface eth1\ndescription saved\nend\nwrite memory\n", /\[OK\]\r\nr1# $/);
    await person.type("configure terminal\ninterface eth1\ndescription lost\nend\n", /end\r\nr1# $/);
    expect(await person.type("reload\n", "[confirm]")).toContain("Proceed with reload?");
    await Promise.all([person.type("y\n", /$/), person.left]);
    expect(router.state.running.interfaces[0]?.description).toBe("saved");
  });

  it("pages on a small terminal: space, Enter and q", async () => {
    const person = await sitDown(await start());
    await person.type("enable\n", "r1# ");
    const first = await person.type("show running-config\n", " --More-- ");
    expect(first.split("\r\n").length).toBe(11);
    expect((await person.type("\n", " --More-- ")).split("\r\n").length).toBe(2);
    expect(await person.type("q", "r1# ")).not.toContain("end");
    await person.type("terminal length 0\n", "r1# ");
    expect(await person.type("show running-config\n", "r1# ")).toMatch(/\r\nend\r\nr1# $/);
  });

  it("edits lines and helps", async () => {
    const person = await sitDown(await start());
    expect(await person.type("shw\u007fow clo\tx\u0015show clock\n", /GMT\r\nr1> $/)).toContain(
      "Thu, 01 Jan 2026 00:00:00 GMT",
    );
    expect(await person.type("show i?", "r1> show i")).toMatch(/ {2}interfaces .*\r\n {2}ip /);
    await person.type("\u0003", "r1> ");
    expect(await person.type("\u001b[Ashow clock\r\n", /GMT\r\nr1> $/)).not.toContain("%");
  });

  it("asks for the password of privileged mode without showing it", async () => {
    const person = await sitDown(await start({ enablePassword: "top" }));
    expect(await person.type("enable\n", "Password: ")).not.toContain("top");
    await person.type("wrong\n", "Password: ");
    expect(await person.type("top\n", "r1# ")).not.toContain("top");
  });

  it("runs a single command without a terminal", async () => {
    const client = await connect(await start());
    const text = await new Promise<string>((resolve, reject) =>
      client.exec("show version", (error, stream) => {
        if (error) return reject(error);
        let seen = "";
        stream.on("data", (data: Buffer) => (seen += data.toString())).on("close", () => resolve(seen));
      }),
    );
    expect(text).toContain("Linewright demo router (r1)");
  });

  it("lets nobody in with another password", async () => {
    await expect(connect(await start(), "Secret")).rejects.toMatchObject({ level: "client-authentication" });
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTemplateBench, type TemplateBench } from "../../support/template-bench.ts";

describe("the device inventory", () => {
  let bench: TemplateBench;
  beforeAll(async () => {
    bench = await openTemplateBench();
  });
  afterAll(() => bench.close());

  it("adds a device with defaults, masked secrets and who added it", async () => {
    const answer = await bench.send("POST", "/inventory/devices", {
      name: "edge-1",
      host: "10.9.0.1",
      platform: "cisco.ios.ios",
      password: "pa$$word",
      variables: { site: "Berlin", snmp: { community: "public-secret" } },
    });
    expect(answer).toMatchObject({
      status: 201,
      json: {
        name: "edge-1",
        port: 22,
        platform: "cisco_ios",
        transport: "ssh",
        hostKeyPolicy: "accept-new",
        isReadOnly: false,
        password: "********",
        createdBy: "admin",
        variables: { site: "Berlin", snmp: { community: "********" } },
      },
    });
    const [stored] = await bench.store.find("devices", { name: "edge-1" });
    expect(JSON.stringify(stored)).not.toMatch(/pa\$\$word|public-secret/);
    expect(await bench.inventory.login("edge-1")).toMatchObject({ password: "pa$$word", enablePassword: undefined });
  });

  it.each([
    [{ name: "x" }, "/body/host"],
    [{ name: "", host: "h" }, "/body/name"],
    [{ name: "x", host: "h", port: 70_000 }, "/body/port"],
    [{ name: "x", host: "h", colour: "red" }, "/body/colour"],
    [{ name: "x", host: "user@h" }, "/body/host"],
    [{ name: "x", host: "h", platform: "toaster" }, "/body/platform"],
    [{ name: "x", host: "h", transport: "telnet" }, "/body/transport"],
  ])("refuses %j and names the place", async (device, path) => {
    expect(await bench.send("POST", "/inventory/devices", device)).toMatchObject({
      status: 400,
      json: { code: "BAD_REQUEST", metadata: { errors: [{ path }] } },
    });
    expect(await bench.inventory.list({ name: "x", isExact: true })).toMatchObject({ total: 0 });
  });

  it("refuses a taken name, also when a device is renamed", async () => {
    for (const name of ["twin-1", "twin-2"]) await bench.send("POST", "/inventory/devices", { name, host: "h" });
    expect(await bench.send("POST", "/inventory/devices", { name: "twin-1", host: "h" })).toMatchObject({
      status: 409,
    });
    expect(await bench.send("PUT", "/inventory/devices/twin-1", { name: "twin-2" })).toMatchObject({ status: 409 });
    expect(await bench.send("GET", "/inventory/devices/twin-1")).toMatchObject({ status: 200 });
  });

  it("changes what is given; what comes back masked stays, null removes", async () => {
    await bench.send("POST", "/inventory/devices", {
      name: "change-me",
      host: "a",
      password: "first",
      enablePassword: "en",
      variables: { token: "t1", keep: 1 },
    });
    const read = await bench.send("GET", "/inventory/devices/change-me");
    const changed = await bench.send("PUT", "/inventory/devices/change-me", { ...(read.json as object), host: "b" });
    expect(changed).toMatchObject({ status: 200, json: { host: "b", variables: { token: "********", keep: 1 } } });
    expect(await bench.inventory.login("change-me")).toMatchObject({ password: "first", enablePassword: "en" });
    await bench.send("PATCH", "/inventory/devices/change-me", { password: "second", enablePassword: null });
    expect(await bench.inventory.login("change-me")).toMatchObject({ password: "second", enablePassword: undefined });
  });

  it("removes a device; it is unknown afterwards", async () => {
    await bench.send("POST", "/inventory/devices", { name: "gone", host: "a" });
    expect(await bench.send("DELETE", "/inventory/devices/gone")).toMatchObject({
      status: 200,
      json: { status: "OK" },
    });
    for (const [method, url] of [
      ["GET", "/inventory/devices/gone"],
      ["DELETE", "/inventory/devices/gone"],
      ["GET", "/configuration_manager/devices/gone/isAlive"],
    ] as const) {
      expect(await bench.send(method, url)).toMatchObject({
        status: 404,
        json: { message: expect.stringContaining("No provider capable of handling request") },
      });
    }
  });

  it("imports devices with the attribute names of the field, all or none", async () => {
    const devices = [
      {
        name: "imp-1",
        attributes: {
          itential_host: "10.0.0.1",
          itential_user: "u",
          itential_password: "p1",
          itential_platform: "arista_eos",
          itential_port: 22,
          rack: 4,
        },
        tags: ["dc"],
      },
      { name: "imp-2", ansible_host: "10.0.0.2", ansible_password: "p2", ansible_network_os: "eos" },
    ];
    expect(await bench.send("POST", "/inventory/devices/import", { devices })).toMatchObject({
      status: 200,
      json: { created: 2, updated: 0 },
    });
    expect(await bench.send("POST", "/inventory/devices/import", { devices })).toMatchObject({
      json: { created: 0, updated: 2 },
    });
    expect((await bench.send("GET", "/inventory/devices/imp-1")).json).toMatchObject({
      host: "10.0.0.1",
      platform: "arista_eos",
      groups: ["dc"],
      variables: { rack: 4 },
      password: "********",
    });
    const bad = await bench.send("POST", "/inventory/devices/import", {
      devices: [{ name: "imp-3" }, { name: "imp-4", port: "many" }],
    });
    expect(bad).toMatchObject({
      status: 400,
      json: {
        metadata: { errors: expect.arrayContaining([expect.objectContaining({ path: "/body/devices/1/port" })]) },
      },
    });
    expect(await bench.send("GET", "/inventory/devices/imp-3")).toMatchObject({ status: 404 });
  });

  it("lists by parts of name, address and platform, page by page, in both spellings", async () => {
    for (const index of [1, 2, 3])
      await bench.send("POST", "/inventory/devices", {
        name: `list-${index}.a+b`,
        host: `192.0.2.${index}`,
        platform: "linux",
        groups: index === 2 ? ["lab"] : [],
      });
    const names = async (url: string) =>
      ((await bench.send("GET", url)).json as { results: { name: string }[] }).results.map(({ name }) => name);
    expect(await names("/inventory/devices?name=LIST-&start=1&limit=1")).toEqual(["list-2.a+b"]);
    expect(await names("/inventory/devices?name=a%2Bb&group=lab")).toEqual(["list-2.a+b"]);
    expect(await names("/inventory/devices?name=.*")).toEqual([]);
    const options = {
      limit: 2,
      start: 0,
      order: "descending",
      sort: [{ name: 1 }],
      filter: { name: "list-", ostype: "lin" },
    };
    expect((await bench.send("POST", "/configuration_manager/devices", { options })).json).toMatchObject({
      entity: "device",
      total: 3,
      totalByAdapter: { inventory: 3 },
      unique_device_count: 3,
      return_count: 2,
      start_index: 0,
      list: [
        { name: "list-3.a+b", ostype: "linux", ipaddress: "192.0.2.3", port: 22, origins: ["inventory"] },
        { name: "list-2.a+b" },
      ],
    });
    const exact = { limit: 1, start: 0, exactMatch: true, origins: true, filter: { name: "list-1.a+b" } };
    expect((await bench.send("POST", "/configuration_manager/devices", { options: exact })).json).toMatchObject({
      total: 1,
      list: [{ name: "list-1.a+b" }],
    });
    const foreign = { limit: 1, adapterId: ["somebody else"] };
    expect((await bench.send("POST", "/configuration_manager/devices", { options: foreign })).json).toMatchObject({
      total: 0,
      list: [],
    });
    expect(await bench.send("POST", "/configuration_manager/devices", { options: {} })).toMatchObject({ status: 400 });
  });

  it("shows a device in the field's form and whether it is alive", async () => {
    const router = await bench.addRouter({ name: "alive-1" });
    expect(await bench.send("GET", "/configuration_manager/devices/alive-1")).toMatchObject({
      status: 200,
      json: { name: "alive-1", "device-type": "network_cli", ostype: "frr", ipaddress: "127.0.0.1", port: router.port },
    });
    expect(await bench.send("GET", "/configuration_manager/devices/alive-1/isAlive")).toMatchObject({
      status: 200,
      json: true,
    });
    await router.close();
    expect((await bench.send("GET", "/inventory/devices/alive-1/isAlive")).json).toBe(false);
    expect(await bench.send("DELETE", "/inventory/devices/alive-1/host_key")).toMatchObject({
      json: { message: "The host key was forgotten" },
    });
  });
});

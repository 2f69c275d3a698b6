export { startDemoRouter, type DemoRouter, type DemoRouterOptions } from "./demo-router.ts";
export type { RouterFaults } from "./router-faults.ts";
export { defaultInterfaces, type RouterInterface } from "./router-state.ts";

export { startDemoRouter, type DemoRouter, type DemoRouterOptions } from "./demo-router.ts";

import { describe } from "vitest";
import { createTemporaryPostgresStore } from "../../support/store-postgres.ts";
import { isPostgresAvailable } from "../../support/temporary-database.ts";
import { describeStore } from "./store-suite.ts";

describe.skipIf(!(await isPostgresAvailable()))("on PostgreSQL", () => {
  describeStore("PostgreSQL", () => createTemporaryPostgresStore());
});

import { createTemporaryStore } from "../../support/store-sqlite.ts";
import { describeStore } from "./store-suite.ts";

describeStore("SQLite on the calling thread", () => createTemporaryStore({ thread: "inline" }));
describeStore("SQLite with a writing thread", () => createTemporaryStore({ thread: "worker" }));

import { Type, type Static } from "@sinclair/typebox";

/** Where a component or folder stands in the tree of a project. */
export type FolderNode =
  | { nodeType: "component"; iid: number }
  | { nodeType: "folder"; name: string; iid?: number; children: FolderNode[] };

export const FolderNode = Type.Object(
  {
    nodeType: Type.Union([Type.Literal("component"), Type.Literal("folder")]),
    iid: Type.Optional(Type.Integer()),
    name: Type.Optional(Type.String()),
    children: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }))),
  },
  { additionalProperties: true },
);

const role = Type.Union(
  [Type.Literal("owner"), Type.Literal("editor"), Type.Literal("operator"), Type.Literal("viewer")],
  { description: "What the member may do: manage, change, run or see the project." },
);

/** An account or group that works with a project. */
export const ProjectMember = Type.Object(
  {
    type: Type.Union([Type.Literal("account"), Type.Literal("group")]),
    reference: Type.String({ minLength: 1, description: "`_id` of the account or group." }),
    role,
    provenance: Type.Optional(Type.String()),
    username: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);
export type ProjectMember = Static<typeof ProjectMember>;

/** A component's entry in its project; the document itself lives in the collection of its kind. */
export interface ProjectComponent {
  iid: number;
  type: string;
  reference: string;
  folder: string;
  /** `_id` of the document where it is another than the reference. Not part of files. */
  documentId?: string;
}

/** A project as it is stored. Members not listed here are kept as they came. */
export interface StoredProject {
  _id: string;
  iid?: number;
  name: string;
  description?: string | null;
  components: ProjectComponent[];
  folders: FolderNode[];
  created?: string;
  createdBy?: unknown;
  lastUpdated?: string;
  lastUpdatedBy?: unknown;
  thumbnail?: string;
  backgroundColor?: string;
  members: ProjectMember[];
  /** The next component's `iid`. */
  componentIidIndex: number;
}

/** The file of a project (spec: workflow-engine.md §9.4). Members not listed here are kept as they came. */
export const ProjectFile = Type.Object(
  {
    _id: Type.Optional(Type.String({ pattern: "^[0-9a-f]{24}$" })),
    iid: Type.Optional(Type.Integer()),
    name: Type.String({ minLength: 1 }),
    description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    components: Type.Array(
      Type.Object(
        {
          iid: Type.Integer(),
          type: Type.String({ minLength: 1 }),
          reference: Type.String({ minLength: 1 }),
          folder: Type.Optional(Type.String()),
          document: Type.Object({ name: Type.String({ minLength: 1 }) }, { additionalProperties: true }),
        },
        { additionalProperties: true },
      ),
    ),
    folders: Type.Optional(Type.Array(FolderNode)),
  },
  { additionalProperties: true },
);
export type ProjectFile = Static<typeof ProjectFile>;
export type FileComponent = ProjectFile["components"][number];

/** How an import meets a project that exists already. */
export const ConflictMode = Type.Union([Type.Literal("insert-new"), Type.Literal("overwrite")], {
  description: "insert-new: a further project under new ids; overwrite: the existing one is replaced.",
});
export type ConflictMode = Static<typeof ConflictMode>;

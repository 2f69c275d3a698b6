import { Type, type Static } from "@sinclair/typebox";
import {
  createDocumentService,
  type DocumentService,
  type DocumentServiceOptions,
  type KeptDocument,
} from "../document-storage/index.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));

/** A template document (spec: templates-gateway-forms.md §7.1). Members not listed here are kept as they came. */
export const TemplateDocument = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    type: Type.Union([Type.Literal("jinja2"), Type.Literal("textfsm")]),
    group: text("Free text to sort templates by."),
    command: text("Command whose output the template reads."),
    description: text("What it is for."),
    template: text("Text of the template."),
    data: text("Sample data to try it with."),
  },
  { additionalProperties: true },
);

/** A template as it is stored. */
export type StoredTemplate = Static<typeof TemplateDocument> & KeptDocument;

export type TemplateService = DocumentService<StoredTemplate>;

/** Keeps Jinja2 and TextFSM templates under names of their own. */
export function createTemplateService(options: Omit<DocumentServiceOptions, "collection" | "noun">): TemplateService {
  return createDocumentService<StoredTemplate>({ ...options, collection: "templates", noun: "template" });
}

export {
  createDocumentService,
  type DocumentService,
  type DocumentServiceOptions,
  type KeptDocument,
} from "./document-service.ts";
export { namePrefix, requireProjectName, type Namespace } from "./namespace.ts";
export { withId } from "./with-id.ts";

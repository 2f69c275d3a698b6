import type { Application } from "../core/application.ts";
import { transformationsOperations, type TransformationsServices } from "./transformations-operations.ts";

export {
  chooseTransformation,
  readCandidates,
  transformationReferenceOf,
  type TransformationHeader,
} from "./find-transformation.ts";
export {
  createTransformationsService,
  type Transform,
  type TransformationsService,
} from "./transformations-service.ts";

/** Transformations: documents that compute values from values, without a program. */
export const transformationsApplication: Application<TransformationsServices> = {
  id: "Transformations",
  name: "Transformations",
  summary: "Keeps and runs transformations of JSON values.",
  operations: transformationsOperations,
};

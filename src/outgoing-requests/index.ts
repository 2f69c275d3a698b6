export { defaultDeniedNetworks, isNetwork } from "./address-rules.ts";
export type { ResolveName } from "./guarded-connector.ts";
export { createOutgoingRequests, type OutgoingAnswer, type OutgoingRequests } from "./outgoing-requests.ts";
export { explainFailure, RequestError } from "./request-error.ts";

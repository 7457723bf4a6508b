/**
 * Serve a page that shows a runtime: its sessions, tasks and terminals, at any moment.
 *
 * @module
 */
export type { Inspected, ReadOutput } from "./integration/inspector/inspection.ts";
export {
  type Inspector,
  type InspectorOptions,
  serveInspector,
} from "./integration/inspector/inspector.ts";

/**
 * Serve a page that shows a runtime: its sessions, tasks and terminals, at any moment.
 *
 * @module
 */
export type { ReadOutput } from "./integration/inspector/inspected-task.ts";
export type { Inspected } from "./integration/inspector/inspection.ts";
export {
  type Inspector,
  type InspectorOptions,
  serveInspector,
} from "./integration/inspector/inspector.ts";

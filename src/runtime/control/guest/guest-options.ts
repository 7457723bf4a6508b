/** A runtime that runs commands for other processes of its user, and has no other purpose. */
export interface GuestOptions {
  /** After what time without any use it is to end, in milliseconds; 0: never. */
  readonly idleMs: number;
  /** Called once when it is to end: it was idle, or a request said so. */
  readonly onEnd: () => void;
}

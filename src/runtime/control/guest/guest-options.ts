/** A runtime that runs commands for other processes of its user, and is there for nothing else. */
export interface GuestOptions {
  /** After what time without any command or guest it is to end, in milliseconds; 0: never. */
  readonly idleMs: number;
  /** Called once when it is to end: nobody wants it any more, or somebody said so. */
  readonly onEnd: () => void;
}

import process from "node:process";

/** How another process reaches a descriptor of ours. */
export const pathOf = (fd: number): string => `/proc/${process.pid}/fd/${fd}`;

/**
 * The variable that marks every process of a command, also those that leave its process group, for
 * whoever looks for them.
 */
export const MARK = "SHELLFLOW_MARK";

/** The variable that marks every process of a command, also those that leave its process group. */
export const MARK = "SHELLFLOW_MARK";

import * as v from "valibot";

/** How a runtime names sessions that were not asked for by name. */
const OWN_NAME = /^session_[0-9a-z]{12}$/;
const NAME = /^[A-Za-z0-9._-]{1,100}$/;

/** What a name has to be, in words. */
export const NAME_RULE =
  'a name has letters, digits, ".", "_" and "-", 100 at most, and is none that runtimes make up';

/** Whether a runtime named a session so: it was made for one command, and ended with it. */
export function isOwnName(name: string): boolean {
  return OWN_NAME.test(name);
}

/** Whether a person can have named a session so. */
export function isSessionName(name: string): boolean {
  return NAME.test(name) && !isOwnName(name);
}

/** The name of a session that lasts from call to call. */
export const sessionName: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.check(isSessionName, NAME_RULE),
);

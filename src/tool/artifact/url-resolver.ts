/**
 * The path that a URL of a scheme means.
 *
 * @param rest What follows `scheme://`.
 * @throws {Error} When there is no such thing; nothing is run then.
 */
export type UrlResolver = (rest: string) => string | Promise<string>;

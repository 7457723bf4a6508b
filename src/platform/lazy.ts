/** What is loaded when it is first needed. */
export interface Lazy<T> {
  /** What `load` resolved to, once it has. */
  readonly loaded: T | undefined;
  /** Load it, once; a failure rejects, and the next call tries again. */
  load(): Promise<T>;
}

/** Load something when it is first needed. */
export function lazy<T>(start: () => Promise<T>): Lazy<T> {
  let loaded: T | undefined;
  let loading: Promise<T> | undefined;
  return {
    get loaded() {
      return loaded;
    },
    load: () =>
      loading ??= start().then((all) => loaded = all, (cause: unknown) => {
        loading = undefined;
        throw cause;
      }),
  };
}

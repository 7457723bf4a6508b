/**
 * Environment values that nothing serialises by accident: JSON shows names only, and inspection
 * nothing, as the field is private.
 *
 * What starts a process gets the values by {@linkcode EnvValues.reveal}.
 */
export class EnvValues {
  readonly #values: Readonly<Record<string, string>>;

  constructor(values: Readonly<Record<string, string>>) {
    this.#values = { ...values };
  }

  /** The values of names alone, as a recorded log knows them. */
  static redacted(names: readonly string[]): EnvValues {
    return new EnvValues(Object.fromEntries(names.map((name) => [name, "<redacted>"])));
  }

  /** Read back what {@linkcode EnvValues.toJSON} wrote. */
  static from(value: EnvValues | { readonly names: readonly string[] }): EnvValues {
    return value instanceof EnvValues ? value : EnvValues.redacted(value.names);
  }

  /** The names, sorted. */
  get names(): readonly string[] {
    return Object.keys(this.#values).sort();
  }

  /** The values themselves. */
  reveal(): Readonly<Record<string, string>> {
    return this.#values;
  }

  /** Names without values. */
  toJSON(): { readonly names: readonly string[] } {
    return { names: this.names };
  }
}

/** Where a text was added to a conversation. */
interface Placed {
  readonly text: string;
  /** How many messages stood before it, and the last of them as JSON. */
  readonly at: number;
  readonly after: string;
}

/**
 * Keeps texts in their places in a conversation: a framework forgets what is added for one call of
 * its model.
 *
 * A conversation that was cut or rewritten before a text has no place for it any more.
 */
export class PlacedNotices {
  #placed: readonly Placed[] = [];
  #length = 0;

  /** Add a text behind these messages, which are those of the last call and what followed. */
  add(messages: readonly unknown[], text: string): void {
    const place = { text, at: messages.length, after: json(messages.at(-1)) };
    this.#placed = [...this.#placed, place];
  }

  /** The messages of the next call with the texts that are not among them. */
  insert<Message, Added>(
    messages: readonly Message[],
    messageOf: (text: string) => Added,
  ): (Message | Added)[] {
    const goesOn = messages.length >= this.#length;
    this.#length = messages.length;
    this.#placed = this.#placed.filter(({ at, after }) =>
      goesOn && json(messages[at - 1]) === after
    );
    const all: (Message | Added)[] = [...messages];
    for (const { at, text } of this.#placed.toReversed()) {
      if (!json(messages[at]).includes(json(text))) all.splice(at, 0, messageOf(text));
    }
    return all;
  }
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

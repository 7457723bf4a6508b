import type { Item } from "./item.ts";

/** What may still be spent. */
export interface Budget {
  readonly chars: number;
  readonly rows: number;
}

/** Take items from the front while the budget lasts. */
export function takeFirst(items: readonly Item[], budget: Budget): Item[] {
  const taken: Item[] = [];
  let { chars, rows } = budget;
  for (const item of items) {
    chars -= item.text.length + 1;
    rows -= item.rows;
    if (chars < 0 || rows < 0) break;
    taken.push(item);
  }
  return taken;
}

/** Take items from the end while the budget lasts; they keep their order. */
export function takeLast(items: readonly Item[], budget: Budget): Item[] {
  return takeFirst([...items].reverse(), budget).reverse();
}

/** What is left once items are paid for, each with the newline that follows it. */
export function after(budget: Budget, items: readonly Pick<Item, "text" | "rows">[]): Budget {
  let { chars, rows } = budget;
  for (const item of items) {
    chars -= item.text.length + 1;
    rows -= item.rows;
  }
  return { chars, rows };
}

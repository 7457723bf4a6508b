/** A key of a terminal, by its name in the notation of the tools. */
export type KeyName =
  | "enter"
  | "tab"
  | "esc"
  | "space"
  | "backspace"
  | "delete"
  | "insert"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "pageup"
  | "pagedown"
  | `ctrl-${string}`;

/** A part of what is typed. */
export type InputPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "key"; readonly key: KeyName };

/** What each key sends to a terminal in its normal mode. */
const KEYS: Readonly<Record<Exclude<KeyName, `ctrl-${string}`>, string>> = {
  enter: "\r",
  tab: "\t",
  esc: "\x1b",
  space: " ",
  backspace: "\x7f",
  delete: "\x1b[3~",
  insert: "\x1b[2~",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  pageup: "\x1b[5~",
  pagedown: "\x1b[6~",
};

const NOTATION = new RegExp(
  String.raw`\{(${Object.keys(KEYS).join("|")}|ctrl-[a-z@\[\]\\^_?])\}`,
  "gi",
);

/** Read text with keys in braces, such as `yes{enter}` or `{ctrl-c}`; other braces are text. */
export function inputParts(text: string): readonly InputPart[] {
  const parts: InputPart[] = [];
  const addText = (text: string) => {
    if (text !== "") parts.push({ type: "text", text });
  };
  let at = 0;
  for (const match of text.matchAll(NOTATION)) {
    addText(text.slice(at, match.index));
    parts.push({ type: "key", key: match[1]?.toLowerCase() as KeyName });
    at = match.index + match[0].length;
  }
  addText(text.slice(at));
  return parts;
}

/** What a key sends to a terminal in its normal mode. */
export function keyText(key: KeyName): string {
  if (isNamed(key)) return KEYS[key];
  const letter = key.slice("ctrl-".length);
  return letter === "?" ? "\x7f" : String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f);
}

function isNamed(key: KeyName): key is keyof typeof KEYS {
  return Object.hasOwn(KEYS, key);
}

/** Where a document is put down, element by element. Values come checked and escaped. */
export interface Output {
  open(name: string): void;
  attribute(name: string, value: string): void;
  /** An element with nothing but text. */
  leaf(name: string, text: string): void;
  /** Ends the innermost open element, whose name is told again. */
  close(name: string): void;
}

/** Puts elements down as text: each on lines of its own, indented by its depth. */
export class TextOutput implements Output {
  text = "";
  #indent: string;
  #inTag = false;

  constructor(indent = "") {
    this.#indent = indent;
  }

  open(name: string): void {
    this.#endTag();
    this.text += `${this.#indent}<${name}`;
    this.#indent += "  ";
    this.#inTag = true;
  }

  attribute(name: string, value: string): void {
    this.text += ` ${name}="${value}"`;
  }

  leaf(name: string, text: string): void {
    this.#endTag();
    this.text += `${this.#indent}<${name}>${text}</${name}>\n`;
  }

  close(name: string): void {
    this.#indent = this.#indent.slice(2);
    this.text += this.#inTag ? "/>\n" : `${this.#indent}</${name}>\n`;
    this.#inTag = false;
  }

  #endTag(): void {
    if (this.#inTag) this.text += ">\n";
    this.#inTag = false;
  }
}

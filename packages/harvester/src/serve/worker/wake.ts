/** Lets a loop sleep until something happens. */
export class Wake {
  #isCalled = false;
  #resume: () => void = () => {};

  /** Ends the sleep, or the next one if nobody sleeps. */
  call(): void {
    this.#isCalled = true;
    this.#resume();
  }

  /** Sleeps until called, but no longer than some milliseconds. */
  async sleep(milliseconds: number): Promise<void> {
    if (!this.#isCalled) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isCalled = false;
    this.#resume = () => {};
  }
}

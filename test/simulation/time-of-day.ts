/** The time of day of this process. */
export interface TimeOfDay {
  /** Sets it by so many milliseconds. */
  jump(ms: number): void;
}

/** From now on the time of day of this process is what it is told to be; its monotonic time is left alone. */
export function takeOverTimeOfDay(): TimeOfDay {
  const real = Date.now.bind(Date);
  let offset = 0;
  Date.now = () => real() + offset;
  return {
    jump(ms) {
      offset += ms;
    },
  };
}

/**
 * The ten steps every engine runs: what the tasks of the Linewright workflow `bench engine chain` do,
 * each from the state before it to the state after it. States are JSON.
 */
export const steps = [
  (state) => ({ ...state, list: [] }),
  (state) => ({ ...state, merged: { device: state.device, n: 1 } }),
  (state) => ({ ...state, found: state.merged.device }),
  (state) => ({ ...state, text: `interface ${state.found}` }),
  (state) => ({ ...state, list: [...state.list, state.text] }),
  (state) => ({ ...state, length: state.list.length }),
  (state) => ({ ...state, isOne: state.length === 1 }),
  (state) => ({ ...state, upper: state.text.toUpperCase() }),
  (state) => ({ ...state, words: state.upper.split(" ") }),
  (state) => ({ ...state, result: { ...state.merged, words: state.words } }),
];

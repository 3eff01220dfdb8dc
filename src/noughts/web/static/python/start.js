// Python in this thread: Pyodide with the package, whose core is core.wasm.
//
//     const { answer } = await startPython({ loadPyodide, core, wheels, indexURL });
//     JSON.parse(answer("explain", '{"start": "basic", "moves": ["5"]}', (done, of) => …, (found) => …));
//
// A worker and the tests in Node start it; `noughts.answers.calls` has the calls.

/**
 * Return Pyodide as `python`, and the function `answer(call, arguments, progress, tell)` of JSON texts.
 *
 * `loadPyodide` is Pyodide's own, `core` a Core of core.js, `wheels` the bytes of the wheels, and
 * `indexURL` the folder of Pyodide's files, if that is not the folder of its script.
 */
export async function startPython({ loadPyodide, core, wheels, indexURL }) {
  const python = await loadPyodide(indexURL ? { indexURL } : {});
  python.registerJsModule("noughts_wasm", { core });
  const extractDir = python.runPython("import sysconfig; sysconfig.get_path('purelib')");
  for (const wheel of wheels) python.unpackArchive(wheel, "wheel", { extractDir });
  const calls = python.pyimport("noughts.answers.calls");
  return { python, answer: (...asked) => calls.answer(...asked) };
}

// node scripts/bootstrap.mjs testing/real-models/convert-whisper.ts FOLDER OUT: writes the Whisper model in FOLDER for onnxruntime, with
// both kinds of weights that the tests with real weights need.
import { openWhisperFolder } from '#engine/models/convert/convert-whisper.ts'
import { writeOnnxWhisper } from '#engine/models/convert/onnx/write-onnx-whisper.ts'

const [folder, out] = process.argv.slice(2)
if (!folder || !out) throw new Error('Name the folder of a Whisper, and the new folder to write.')
await writeOnnxWhisper(await openWhisperFolder(folder), out, { precisions: ['int8', 'float32'] })

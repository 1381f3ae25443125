// A separate process that says which ffmpeg the other programs of the server run:
//   node engine/ffmpeg-version-main.ts
import { findFfmpeg } from './audio/ffmpeg.ts'
import { answerAsProgram } from './answer-as-program.ts'

await answerAsProgram(async () => {
  const { version } = await findFfmpeg()
  return { version }
})

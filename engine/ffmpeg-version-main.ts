// A separate process that reports which ffmpeg the server's other programs run:
//   node engine/ffmpeg-version-main.ts
import { findFfmpeg } from './audio/ffmpeg.ts'
import { answerAsProgram } from './answer-as-program.ts'

await answerAsProgram(async () => {
  const { version } = await findFfmpeg()
  return { version }
})

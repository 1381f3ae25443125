// A separate process that writes part of a recording to descriptor 3, which the server has opened for it:
//   node engine/clip-main.ts FILE FROM_SECONDS SECONDS FORMAT CHANNELS [left|right] 3>CLIP
import { z } from 'zod'
import { clipChannels, clipFormats } from '#contract/clip.ts'
import { writeClip } from './audio/write-clip.ts'
import { answerAsProgram } from './answer-as-program.ts'

const Arguments = z.tuple([
  z.string(),
  z.coerce.number(),
  z.coerce.number(),
  z.enum(clipFormats),
  z.coerce.number(),
  z.enum(clipChannels).optional(),
])

await answerAsProgram(async () => {
  const [path, fromSeconds, seconds, format, channelCount, channel] = Arguments.parse(process.argv.slice(2))
  await writeClip(path, { fromSeconds, seconds, format, channelCount, channel }, 3)
  return {}
})

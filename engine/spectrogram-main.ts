// A separate process that computes the spectrogram of part of a recording for the server and writes it as one line of JSON:
//   node engine/spectrogram-main.ts FILE FROM_SECONDS SECONDS CHANNELS COLUMNS ROWS
import { readExcerpt } from './audio/read-excerpt.ts'
import { computeSpectrogram } from './audio/spectrogram.ts'
import { answerAsProgram } from './answer-as-program.ts'

await answerAsProgram(async () => {
  const [path = '', ...numbers] = process.argv.slice(2)
  const [fromSeconds = 0, seconds = 0, channelCount = 0, columns = 0, rows = 0] = numbers.map(Number)
  if (rows === 0) throw new Error('usage: spectrogram-main.ts FILE FROM_SECONDS SECONDS CHANNELS COLUMNS ROWS')
  const sound = await readExcerpt(path, { fromSeconds, seconds, channelCount })
  const { maxHz, channels } = computeSpectrogram(sound, { columns, rows })
  return { maxHz, channels: channels.map((levels) => Buffer.from(levels).toString('base64')) }
})

// A fake server in its own process, which can be killed: sends its address to the parent and responds after a message.
import { startFakeServer, transcribeByFingerprint } from './fake-server.ts'

const server = await startFakeServer(async (request, response) => {
  process.send?.({ fingerprint: request.fingerprint })
  await new Promise((resolve) => {
    process.once('message', resolve)
  })
  return transcribeByFingerprint(request, response)
})
process.send?.({ address: server.address })

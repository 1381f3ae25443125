// A stand-in server in its own process, which can be killed: sends its address and responds after a message.
import { startStandIn, transcribeByFingerprint } from './stand-in-server.ts'

const server = await startStandIn(async (request, response) => {
  process.send?.({ fingerprint: request.fingerprint })
  await new Promise((resolve) => {
    process.once('message', resolve)
  })
  return transcribeByFingerprint(request, response)
})
process.send?.({ address: server.address })

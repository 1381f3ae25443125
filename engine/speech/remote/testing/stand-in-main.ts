// A stand-in server as a process of its own, which can be killed: writes its address and answers after a message.
import { startStandIn, transcribeByFingerprint } from './stand-in-server.ts'

const server = await startStandIn(async (request, response) => {
  process.send?.({ fingerprint: request.fingerprint })
  await new Promise((resolve) => {
    process.once('message', resolve)
  })
  return transcribeByFingerprint(request, response)
})
process.send?.({ address: server.address })

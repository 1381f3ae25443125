// A stand-in server as a process of its own, which can be killed: writes its address, tells of each request and answers none.
import { startStandIn } from './stand-in-server.ts'

const server = await startStandIn((request) => {
  process.send?.({ text: request.text })
})
process.send?.({ address: server.address })

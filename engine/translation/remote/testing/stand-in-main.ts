// A stand-in server as a process of its own, which can be killed: sends its address and each request to the parent, and never responds.
import { startStandIn } from './stand-in-server.ts'

const server = await startStandIn((request) => {
  process.send?.({ text: request.text })
})
process.send?.({ address: server.address })

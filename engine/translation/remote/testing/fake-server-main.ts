// A fake server in its own process, which can be killed: sends its address and each request to the parent, and never responds.
import { startFakeServer } from './fake-server.ts'

const server = await startFakeServer((request) => {
  process.send?.({ text: request.text })
})
process.send?.({ address: server.address })

import { ConsolePage } from './console-page.tsx'

export function SessionsPage() {
  return <ConsolePage title="Sessions">{null}</ConsolePage>
}

import { ConsolePage } from './console-page.tsx'

export function UserPage() {
  return <ConsolePage title="User">{null}</ConsolePage>
}

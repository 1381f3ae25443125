import type { FaultKind } from '../plan.ts'
import { silentClients, slowClients } from './bad-clients.ts'
import type { Fault } from './context.ts'
import { fillDisk } from './fill-disk.ts'
import { kill, killNativeChild, killSupervisor } from './kill.ts'
import { moveClock } from './move-clock.ts'
import { pause } from './pause.ts'
import { cutMember, killPrimary, pauseMember, rollBack, stepDown } from './replica-set.ts'
import { removeSocket } from './remove-socket.ts'

export const faults: Record<FaultKind, Fault> = {
  'kill server': kill('server'),
  'kill database': kill('database'),
  'kill engine': kill('engine'),
  'kill native child': killNativeChild,
  'kill supervisor': killSupervisor,
  'pause server': pause('server'),
  'pause database': pause('database'),
  'pause engine': pause('engine'),
  'remove socket': removeSocket,
  'fill disk': fillDisk,
  'move clock': moveClock,
  'slow clients': slowClients,
  'silent clients': silentClients,
  'kill primary': killPrimary,
  'step down': stepDown,
  'pause member': pauseMember,
  'roll back': rollBack,
  'cut member': cutMember,
}

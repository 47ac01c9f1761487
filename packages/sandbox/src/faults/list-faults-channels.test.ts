import { channelFaultCases } from '../../test/fault-fixture.ts'
import { testFaults } from '../../test/test-faults.ts'

testFaults('on the other channels', channelFaultCases)

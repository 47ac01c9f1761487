import {
  InjectionSymbols,
  JsonTransformer,
  RecordNotFoundError,
  type BaseRecord,
  type BaseRecordConstructor,
  type DependencyManager,
  type Module,
  type StorageService,
} from '@credo-ts/core'

// Credo's own bound for a storage service: a record with any tags.
type AnyRecord = BaseRecord

/** In-memory storage for a Credo agent. Queries return all records of a type, which suffices for two credentials. */
export function createMemoryStorage(): Module {
  const records = new Map<string, { type: string; json: Record<string, unknown> }>()
  const loadRecord = (recordClass: BaseRecordConstructor<AnyRecord>, id: string): AnyRecord => {
    const stored = records.get(id)
    if (stored === undefined)
      throw new RecordNotFoundError(`There is no record ${id}.`, { recordType: 'any' })
    return JsonTransformer.fromJSON(stored.json, recordClass)
  }
  const saveRecord = async (_: unknown, record: AnyRecord) => {
    records.set(record.id, { type: record.type, json: JsonTransformer.toJSON(record) })
  }
  const removeRecord = async (id: string) => {
    records.delete(id)
  }
  const listRecords: StorageService<AnyRecord>['getAll'] = async (_, recordClass) =>
    [...records]
      .filter(([, { type }]) => type === recordClass.type)
      .map(([id]) => loadRecord(recordClass, id))

  const storage: StorageService<AnyRecord> = {
    supportsCursorPagination: false,
    save: saveRecord,
    update: saveRecord,
    delete: (_, { id }) => removeRecord(id),
    deleteById: (_, _class, id) => removeRecord(id),
    getById: async (_, recordClass, id) => loadRecord(recordClass, id),
    getAll: listRecords,
    findByQuery: listRecords,
  }
  return {
    register: (dependencyManager: DependencyManager) =>
      dependencyManager.registerInstance(InjectionSymbols.StorageService, storage),
  }
}

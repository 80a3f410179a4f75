// RecordFormats: everything that `cnicscan` reads or writes as text. One file a format; the types here are wire types, and
// the domain's values stay in CardModel. NDJSON lines, JSON Schemas, manifests and other CSV files, the summary, the report
// and the review pages. It opens files only to read manifests and to write pages; it knows no image and no engine.

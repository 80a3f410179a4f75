import CardModel

extension Schema {
  private static func event(_ type: String, payload: String?) -> String {
    let required = payload == nil ? #"["id", "type"]"# : #"["id", "payload", "type"]"#
    return """
      {
        "type": "object",
        "additionalProperties": false,
        "required": \(required),
        "properties": {"id": \(identifier), \(payload.map { "\"payload\": \($0)," } ?? "") "type": {"const": "\(type)"}}
      }
      """
  }

  private static let imagePayload =
    #"{"type": "object", "additionalProperties": false, "required": ["image"], "properties": {"image": \#(path)}}"#

  static let androidEvents = """
    "oneOf": [
      \(event("LAUNCH_FAILURE", payload: nil)),
      \(event("FRONT_SUCCESS", payload: imagePayload)),
      \(event("BACK_SUCCESS", payload: imagePayload)),
      \(event("OCR_SUCCESS", payload: successPayload)),
      \(event("OCR_FAILURE", payload: nil))
    ]
    """

  static let eventAndroidSource = """
    {\(head(.eventAndroid, "An event as Android's broadcast delivers it. FRONT_FAILURE and BACK_FAILURE are reserved and never posted.")),
    \(androidEvents)}
    """

  private static func call(_ method: String, _ arguments: String) -> String {
    """
    {
      "type": "object",
      "additionalProperties": false,
      "required": ["arguments", "id", "method"],
      "properties": {"arguments": \(arguments), "id": \(identifier), "method": {"const": "\(method)"}}
    }
    """
  }

  private static func single(_ key: String, _ form: String) -> String {
    "{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"\(key)\"], \"properties\": {\"\(key)\": \(form)}}"
  }

  private static let base64Image =
    #"{"type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$", "contentEncoding": "base64", "contentMediaType": "image/jpeg", "#
    + #""description": "A Base64-encoded JPEG; empty where the side was not captured."}"#

  private static let responseArguments = """
    {
      "type": "object",
      "additionalProperties": false,
      "required": ["backImage", "distance", "documentType", "extractedData", "frontImage", "identityNumber"],
      "properties": {
        "backImage": \(base64Image),
        "distance": {"enum": [0, 1], "description": "0: the numbers match; 1: they differ, or the scan was front only. Written as a fraction."},
        "documentType": {"enum": \(words(DocumentType.self))},
        "extractedData": \(extractedData),
        "frontImage": \(base64Image),
        "identityNumber": {"anyOf": [{"type": "null", "description": "Front only."}, \(number)]}
      }
    }
    """

  static let iosCalls = """
    "oneOf": [
      \(call("handleInfo", single("message", #"{"enum": ["Ocr initialized", "Ocr closed"]}"#))),
      \(call("handleError", single("code", #"{"const": "no_camera"}"#))),
      \(call("handleResponse", responseArguments))
    ]
    """

  static let eventIOSSource = """
    {\(head(.eventIOS, "A call of iOS's OcrControllerDelegate. The per-side events, OCR_FAILURE and LAUNCH_FAILURE have none.")),
    \(iosCalls)}
    """
}

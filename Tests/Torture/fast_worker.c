/* A worker that answers at once, to measure the engine alone: it copies the request's id (as JSON text, escapes and all). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

int main(void) {
  char *line = NULL;
  size_t room = 0;
  ssize_t count;
  const char *mark = getenv("STUB_MARK");  /* a file that tells when the first request came */
  while ((count = getline(&line, &room, stdin)) > 0) {
    if (mark != NULL) {
      FILE *file = fopen(mark, "wx");  /* the first of all workers makes it */
      if (file != NULL) fclose(file);
      mark = NULL;
    }
    char *id = strstr(line, "\"id\":\"");
    if (id == NULL) return 1;
    id += 5;
    char *end = id + 1;
    while (*end != '\0' && *end != '"') end += *end == '\\' ? 2 : 1;
    int length = (int)(end - id) + 1;
    printf("{\"events\":[{\"id\":%.*s,\"payload\":{\"distance\":0,\"documentType\":\"new\",\"extractedData\":{\"name\":\"SPECIMEN PERSON\"},"
           "\"identityNumber\":\"12345-1234567-1\"},\"type\":\"OCR_SUCCESS\"}],\"id\":%.*s,\"result\":{\"batch\":{\"confidence\":{\"name\":"
           "0.9990}},\"id\":%.*s,\"outcome\":\"matched\",\"payload\":{\"distance\":0,\"documentType\":\"new\",\"extractedData\":{\"name\":"
           "\"SPECIMEN PERSON\"},\"identityNumber\":\"12345-1234567-1\"},\"reasons\":[],\"schemaVersion\":1,\"type\":\"OCR_SUCCESS\"},"
           "\"timings\":{\"load\":0.1}}\n", length, id, length, id, length, id);
    fflush(stdout);
  }
  free(line);
  return 0;
}

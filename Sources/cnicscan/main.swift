print("cnicscan")

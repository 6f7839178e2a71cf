print("synthhost")

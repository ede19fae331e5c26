"""A proxy on a port of its own that leads to another port of this machine, and cuts what goes through it when asked."""
import socket
import struct
import threading


class CuttingProxy:
    def __init__(self, target):
        self.target = target
        self.lock = threading.Lock()
        self.sockets = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.cut()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            with self.lock:
                self.sockets |= {near, far}
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    def carry(self, source, sink):
        try:
            while True:
                received = source.recv(65536)
                if not received:
                    break
                sink.sendall(received)
        except OSError:
            pass
        for each in (source, sink):
            self.close(each)

    def close(self, each):
        with self.lock:
            self.sockets.discard(each)
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        each.close()

    def cut(self):
        """Resets every connection; how many ends there were."""
        with self.lock:
            cut = list(self.sockets)
        for each in cut:
            try:
                each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            except OSError:
                pass
            self.close(each)
        return len(cut)
